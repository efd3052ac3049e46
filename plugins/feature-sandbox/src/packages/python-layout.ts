import { type PackageLayout, shellBegin, stateFolder } from './package-kind.js'
import { pythonInstaller } from './python-installer.js'

/**
 * Makes the environment if there is none or if it is broken, with what was asked for before, then
 * installs the arguments. The mark stays when it is cut off, and only then.
 */
const script = `${shellBegin('python')}
list=$state/python.txt mark=$state/python.incomplete machine=$1 days=$2 installer=$3 pinned=
shift 3
command -v "$machine" >/dev/null 2>&1 || { echo 'Python is not installed on this machine. Its operator can install python3.'; exit 127; }
own=.venv/bin/python
[ ! -e "$list.before" ] || mv "$list.before" "$list"
install() { "$own" -c "$installer" "$days" "$state/python.lock" "$pinned" "$@"; }
if [ -e "$mark" ] || ! "$own" -c 'import pip' >/dev/null 2>&1; then
  if [ -e "$list" ]; then step 'Rebuilding the Python environment'; else step 'Creating the Python environment'; fi
  : > "$mark" && rm -rf .venv || exit 1
  "$machine" -m venv .venv || {
    status=$?
    killed "$status" || rm -rf .venv "$mark"
    echo 'The Python environment could not be made. The module venv is missing: the operator can install python3-venv.'
    exit "$status"
  }
  [ ! -s "$list" ] || { pinned=pinned; again; pinned=; }
  : >> "$list"
fi
if [ "$#" -gt 0 ]; then
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

/** A virtual environment in `.venv`. `python`: the machine's program. `minAgeDays`: see {@link pythonInstaller}. */
export const pythonLayout = (python: string, minAgeDays: number): PackageLayout => ({
  title: 'Python',
  list: `${stateFolder}/python.txt`,
  mark: `${stateFolder}/python.incomplete`,
  sign: '.venv/pyvenv.cfg',
  command: ['/bin/sh', '-c', script, 'sh', python, String(minAgeDays), pythonInstaller],
  environment: { PYTHONUNBUFFERED: '1' },
})
