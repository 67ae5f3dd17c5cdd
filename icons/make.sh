#!/bin/sh
# Makes every icon file from icon.svg (icon-small.svg for 16 and 32 pixels).
# Needs rsvg-convert (Debian: librsvg2-bin), convert (imagemagick) and python3.
set -eu
cd "$(dirname "$0")"

# draw SOURCE SIZE FILE
draw() { rsvg-convert --width "$2" --height "$2" --output "$3" "$1"; }

draw icon-small.svg 16 16x16.png
draw icon-small.svg 32 32x32.png
draw icon.svg 48 48x48.png
draw icon.svg 64 64x64.png
draw icon.svg 128 128x128.png
draw icon.svg 256 128x128@2x.png
draw icon.svg 256 256x256.png
draw icon.svg 512 512x512.png
draw icon.svg 1024 icon.png

# Windows: bitmaps up to 128 pixels, and PNG at 256, which is how the format wants them.
convert 16x16.png 32x32.png 48x48.png 64x64.png 128x128.png 256x256.png icon.ico

# macOS: a list of (type, length, PNG). The types name a size in points and a scale.
python3 - <<'PY'
import pathlib, struct
entries = [("ic11", "32x32"), ("ic12", "64x64"), ("ic07", "128x128"), ("ic13", "128x128@2x"), ("ic08", "256x256"),
           ("ic14", "512x512"), ("ic09", "512x512"), ("ic10", "icon")]
body = b""
for kind, name in entries:
    png = pathlib.Path(name + ".png").read_bytes()
    body += kind.encode() + struct.pack(">I", len(png) + 8) + png
pathlib.Path("icon.icns").write_bytes(b"icns" + struct.pack(">I", len(body) + 8) + body)
PY
