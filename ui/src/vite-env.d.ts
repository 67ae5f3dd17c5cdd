import "react";

declare module "react" {
	/** Custom properties hand sizes to a stylesheet. */
	interface CSSProperties {
		[property: `--${string}`]: string | number | undefined;
	}
}
