import { type PackageLayout, shellBegin, stateFolder } from './package-kind.js'

/** As the one for Python. What was asked for is in package.json too, where npm keeps it. */
const script = `${shellBegin('node')}
list=$state/node.txt mark=$state/node.incomplete node=$1
shift
command -v "$node" >/dev/null 2>&1 || { echo 'Node.js cannot be run here. The operator can install nodejs for the whole machine.'; exit 127; }
for npm in "$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js" /usr/share/nodejs/npm/bin/npm-cli.js; do
  [ -e "$npm" ] && break
done
[ -e "$npm" ] || { echo 'npm is not installed beside the Node.js of the service. The operator can install it.'; exit 127; }
export PATH="$(dirname "$node"):$PATH"
install() { "$node" "$npm" install --no-audit --no-fund --no-update-notifier --loglevel=error --cache "$TMPDIR/npm" "$@"; }
[ -e package.json ] || printf '{"private":true}\\n' > package.json
if [ -e "$mark" ] || { [ -e "$list" ] && [ ! -e node_modules/.package-lock.json ]; }; then
  step 'Rebuilding the Node.js environment'
  : > "$mark" && rm -rf node_modules || exit 1
  if [ -s "$list" ]; then
    step 'Installing the packages again'
    (set --; while IFS= read -r each; do set -- "$@" "$each"; done < "$list"; install "$@") || exit
  fi
fi
if [ "$#" -gt 0 ]; then
  [ -e "$list" ] || step 'Creating the Node.js environment'
  : > "$mark"
  step "Installing $*"
  install "$@" || {
    status=$?
    [ "$status" -gt 128 ] || rm -f "$mark"
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
  command: ['/bin/sh', '-c', script, 'sh', node],
  environment: { NO_COLOR: '1', CI: '1' },
})
