import { type PackageLayout, shellBegin, stateFolder } from './package-kind.js'

/** Takes archives out of package.json that are no longer there: with one, npm installs nothing. */
const prune = `const fs = require('fs')
const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const all = manifest.dependencies ?? {}
for (const [name, from] of Object.entries(all)) if (from.startsWith('file:') && !fs.existsSync(from.slice(5))) delete all[name]
fs.writeFileSync('package.json', JSON.stringify(manifest, null, 2) + '\\n')`

/** Names the packages whose install scripts would have run: some do not work without what those make. */
const unrun = `const { packages = {} } = JSON.parse(require('fs').readFileSync('node_modules/.package-lock.json', 'utf8'))
const names = Object.keys(packages).filter((place) => packages[place].hasInstallScript).map((place) => place.split('node_modules/').pop())
if (names.length > 0) console.log('Note: the install scripts of these were not run, so they may lack what those make: ' + names.slice(0, 20).join(', '))`

/** As the one for Python. What was asked for is in package.json too, where npm keeps it. */
const script = `${shellBegin('node')}
list=$state/node.txt mark=$state/node.incomplete node=$1 days=$2 prune=$3 unrun=$4
shift 4
command -v "$node" >/dev/null 2>&1 || { echo 'Node.js cannot be run here. The operator can install nodejs for the whole machine.'; exit 127; }
for npm in "$(dirname "$node")/../lib/node_modules/npm/bin/npm-cli.js" /usr/share/nodejs/npm/bin/npm-cli.js; do
  [ -e "$npm" ] && break
done
[ -e "$npm" ] || { echo 'npm is not installed beside the Node.js of the service. The operator can install it.'; exit 127; }
export PATH="$(dirname "$node"):$PATH"
before=$("$node" -p 'new Date(Date.now() - Number(process.argv[1]) * 86400000).toISOString()' "$days") || exit 1
[ "$days" -gt 0 ] || before=
fetch=
# Each rule is said here, since an .npmrc of the workspace counts where nothing is said.
install() {
  "$node" "$npm" install --ignore-scripts --allow-git=none --allow-remote=none --package-lock --package-lock-only=false \\
    --no-global --location=user --no-dry-run --min-release-age-exclude= \${before:+"--before=$before"} \\
    --no-audit --no-fund --no-update-notifier --loglevel=error --cache "$TMPDIR/npm" \${fetch:+"$fetch"} -- "$@"
}
[ ! -e "$list.before" ] || mv "$list.before" "$list"
[ -e package.json ] || printf '{"private":true}\\n' > package.json
if [ -e "$mark" ] || { [ -e "$list" ] && [ ! -e node_modules/.package-lock.json ]; }; then
  step 'Rebuilding the Node.js environment'
  : > "$mark" && rm -rf node_modules || exit 1
  "$node" -e "$prune" 2>/dev/null
  if [ -e package-lock.json ]; then
    # By name npm takes what the registry has now; without names, what the lock has the hash of.
    said=$(fetch=--fetch-retries=0 && install 2>&1) || {
      ! killed "$?" || exit 1
      case $said in *EINTEGRITY*)
        printf '%s\\n' "$said" 'The registry has another archive of a package than the one that was installed before. Remove package-lock.json only if that is right.'
        exit 1
      esac
    }
  fi
  [ ! -s "$list" ] || again
fi
if [ "$#" -gt 0 ]; then
  [ -e "$list" ] || step 'Creating the Node.js environment'
  : > "$mark"
  step "Installing $*"
  install "$@" || {
    status=$?
    killed "$status" || rm -f "$mark"
    [ -z "$before" ] || echo "Note: releases of the last $days days are left out, as if they did not exist yet."
    exit "$status"
  }
  remember "$@"
  "$node" -e "$unrun" 2>/dev/null
fi
rm -f "$mark"`

/**
 * `node_modules` at the top of the workspace, where every file below finds it. `node`: the program,
 * absolute. `minAgeDays`: no release is installed that is younger, as far as the registry says when it
 * was made; 0 looks at none. No package runs a program while it is installed, and none comes from a
 * repository or an address; what is installed again is what `package-lock.json` has the hash of.
 */
export const nodeLayout = (node: string, minAgeDays: number): PackageLayout => ({
  title: 'Node.js',
  list: `${stateFolder}/node.txt`,
  mark: `${stateFolder}/node.incomplete`,
  sign: 'node_modules/.package-lock.json',
  command: ['/bin/sh', '-c', script, 'sh', node, String(minAgeDays), prune, unrun],
  environment: { NO_COLOR: '1', CI: '1' },
})
