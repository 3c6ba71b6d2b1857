#!/bin/sh
# Installs the Debian packages that some tests need (tools/apt-packages.txt), where root runs this
# and one of them is missing. Elsewhere it says what is missing, and those tests skip.
set -eu
cd "$(dirname "$0")"
missing=""
while read -r package; do
    dpkg --status "$package" >/dev/null 2>&1 || missing="$missing $package"
done <apt-packages.txt
if [ -z "$missing" ]; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "not installed, so some tests skip:$missing (apt-get install, as root)" >&2
    exit 0
fi
apt-get update --quiet=2
DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends $missing
