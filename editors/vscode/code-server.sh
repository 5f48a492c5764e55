#!/bin/sh
# Installs code-server, the workbench and the extension host of VS Code for a browser, into a folder (needs Node 20,
# npm, make, a C++ compiler and Python). What it compiles is what runs without Kerberos and without downloads but npm's.
set -eu
version=4.100.3
folder=${1:?Say into which folder.}
mkdir -p "$folder"
cd "$folder"
export npm_config_yes=true npm_config_build_from_source=true
node=$(dirname "$(dirname "$(command -v node)")")
[ ! -e "$node/include/node/node.h" ] || export npm_config_nodedir="$node"
quiet="--no-audit --no-fund --loglevel=error"

npm install --prefix . --ignore-scripts $quiet "code-server@$version"
npm rebuild --prefix . $quiet argon2
cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev $quiet
npm rebuild $quiet @vscode/spdlog native-watchdog node-pty
ln -sfn node_modules node_modules.asar
ln -sfn browser-linux.sh bin/helpers/browser.sh
ln -sfn code-linux.sh bin/remote-cli/code-server
cd extensions
npm install --ignore-scripts --omit=dev $quiet
echo "$folder/node_modules/.bin/code-server"
