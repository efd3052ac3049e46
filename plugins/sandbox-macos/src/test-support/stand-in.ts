import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Launcher, systemLauncher } from '../processes/launch-command.js'

/** A program in the place of sandbox-exec: it checks how it is called, and runs without a fence. */
export interface StandIn {
  readonly launcher: Launcher
  /** The profile of the last call. */
  lastProfile(): Promise<string>
  remove(): Promise<void>
}

const script = `#!/bin/dash
refuse() { echo "stand-in: $1" >&2; exit 64; }
profile= terminal=
while [ $# -gt 0 ]; do
  case $1 in
    -p) profile=$2; shift 2 ;;
    -D) case $2 in TERMINAL=/dev/*) terminal=$2 ;; *) refuse "parameter $2" ;; esac; shift 2 ;;
    -*) refuse "option $1" ;;
    *) break ;;
  esac
done
case $profile in "(version 1)
(deny default)
"*) ;; *) refuse 'no profile' ;; esac
case $profile in *'(param "TERMINAL")'*) [ -n "$terminal" ] || refuse 'no terminal' ;; *) [ -z "$terminal" ] || refuse 'a terminal' ;; esac
case $1 in /*) ;; *) refuse "program $1" ;; esac
printf %s "$profile" > "$0.$$" && mv "$0.$$" "$0.profile"
exec "$@"
`

export async function createStandIn(): Promise<StandIn> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-exec-'))
  const sandboxExec = path.join(folder, 'sandbox-exec')
  await writeFile(sandboxExec, script)
  await chmod(sandboxExec, 0o755)
  return {
    launcher: { ...systemLauncher, sandboxExec },
    lastProfile: () => readFile(`${sandboxExec}.profile`, 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
