/** Signing in to servers over HTTP: what the host says of it, by the names that the page has for it. */
export type { AuthCheckRow as AuthCheck } from "./bindings/AuthCheckRow";
export type { AuthClaimsRow as ClaimsRow } from "./bindings/AuthClaimsRow";
export type { AuthConsentRow as ConsentRow } from "./bindings/AuthConsentRow";
export type { AuthDraft } from "./bindings/AuthDraft";
export type { AuthErrorRow as StepErrorRow } from "./bindings/AuthErrorRow";
export type { AuthExchangeRow as AuthExchange } from "./bindings/AuthExchangeRow";
export type { AuthRow } from "./bindings/AuthRow";
export type { AuthSecretDraft as SecretDraft } from "./bindings/AuthSecretDraft";
export type { AuthTokenRow as TokenRow } from "./bindings/AuthTokenRow";
export type { AuthValueRow as AuthValue } from "./bindings/AuthValueRow";
export type { SignInRow } from "./bindings/SignInRow";
export type { SignInStep as StepRow } from "./bindings/SignInStep";
export type { SignInStepKind as StepKind } from "./bindings/SignInStepKind";
