#!/bin/sh
# A disk image from dist/Palimpsest.app, which `make package` made on macOS. IDENTITY signs it, without it only for this machine.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
codesign --force --deep --options runtime --entitlements packaging/macos/entitlements.plist --sign "${IDENTITY:--}" dist/Palimpsest.app
rm -rf build/dmg && mkdir -p build/dmg
cp -R dist/Palimpsest.app build/dmg/
ln -s /Applications build/dmg/Applications
hdiutil create -volname Palimpsest -srcfolder build/dmg -ov -format UDZO "dist/Palimpsest-$version.dmg"
