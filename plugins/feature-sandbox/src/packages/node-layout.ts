import { type PackageLayout, shellBegin, stateFolder } from './package-kind.js'

/** Takes archives out of package.json that are no longer there: with one, npm installs nothing. */
const prune = `const fs = require('fs')
const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const all = manifest.dependencies ?? {}
for (const [name, from] of Object.entries(all)) if (from.startsWith('file:') && !fs.existsSync(from.slice(5))) delete all[name]
fs.writeFileSync('package.json', JSON.stringify(manifest, null, 2) + '\\n')`

/** As the one for Python. What was asked for is in package.json too, where npm keeps it. */
const script = `${shellBegin('node')}
list=$state/node.txt mark=$state/node.incomplete node=$1 prune=$2
shift 2
command -v "$node" >/dev/null 2>&1 || { echo 'Node.js cannot be run here. The operator can install nodejs for the whole machine.'; exit 127; }
for npm in "$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js" /usr/share/nodejs/npm/bin/npm-cli.js; do
  [ -e "$npm" ] && break
done
[ -e "$npm" ] || { echo 'npm is not installed beside the Node.js of the service. The operator can install it.'; exit 127; }
export PATH="$(dirname "$node"):$PATH"
install() { "$node" "$npm" install --no-audit --no-fund --no-update-notifier --loglevel=error --cache "$TMPDIR/npm" "$@"; }
[ ! -e "$list.before" ] || mv "$list.before" "$list"
[ -e package.json ] || printf '{"private":true}\\n' > package.json
if [ -e "$mark" ] || { [ -e "$list" ] && [ ! -e node_modules/.package-lock.json ]; }; then
  step 'Rebuilding the Node.js environment'
  : > "$mark" && rm -rf node_modules || exit 1
  "$node" -e "$prune" 2>/dev/null
  [ ! -s "$list" ] || again
fi
if [ "$#" -gt 0 ]; then
  [ -e "$list" ] || step 'Creating the Node.js environment'
  : > "$mark"
  step "Installing $*"
  install "$@" || {
    status=$?
    killed "$status" || rm -f "$mark"
    exit "$status"
  }
  remember "$@"
fi
rm -f "$mark"`

/**
 * `node_modules` at the top of the workspace, where every file below finds it. `node`: the program,
 * absolute.
 */
export const nodeLayout = (node: string): PackageLayout => ({
  title: 'Node.js',
  list: `${stateFolder}/node.txt`,
  mark: `${stateFolder}/node.incomplete`,
  sign: 'node_modules/.package-lock.json',
  command: ['/bin/sh', '-c', script, 'sh', node, prune],
  environment: { NO_COLOR: '1', CI: '1' },
})
