import { type Architecture, systemCalls } from '../../confinement/system-calls.js'

/** Numbers of system calls that the filter lets pass, by architecture. */
const more: Readonly<Record<Architecture, Readonly<Record<string, number>>>> = {
  x64: {
    ...{ inotify_init1: 294, inotify_add_watch: 254, fanotify_init: 300, fanotify_mark: 301, name_to_handle_at: 303 },
    ...{ shmget: 29, shmat: 30, semget: 64, msgget: 68, mq_open: 240, rt_sigqueueinfo: 129, tgkill: 234, memfd_create: 319 },
  },
  arm64: {
    ...{ inotify_init1: 26, inotify_add_watch: 27, fanotify_init: 262, fanotify_mark: 263, name_to_handle_at: 264 },
    ...{ shmget: 194, shmat: 196, semget: 190, msgget: 186, mq_open: 180, rt_sigqueueinfo: 138, tgkill: 131, memfd_create: 279 },
  },
}
const both = { pidfd_open: 434, pidfd_send_signal: 424, fchmodat2: 452, process_mrelease: 448 } as const

function numbers(): Readonly<Record<string, number>> {
  const architecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
  const { denied, ofProcess, clone, clone3, ioctl, socket } = systemCalls[architecture]
  return { ...denied, ...ofProcess.first, ...ofProcess.second, ...more[architecture], ...both, clone, clone3, ioctl, socket }
}

/**
 * The beginning of every attempt, in Python: `call(name, …)` is a system call, negative when it
 * fails; `tried(name, work)` prints `OPEN name` unless it was refused: by an error, by False, None or a
 * negative number.
 */
export const prelude = `
import ctypes, errno, fcntl, os, select, signal, socket, struct, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
numbers = ${JSON.stringify(numbers())}
def call(name, *given):
    ctypes.set_errno(0)
    result = libc.syscall(numbers[name], *given)
    return result if result >= 0 else -ctypes.get_errno()
left_out = os.environ.get('LEFT_OUT', '').split(',')
def tried(name, work):
    if name in left_out: return
    print('TRIED', name)
    try:
        result = work()
        if result is not False and result is not None and not (isinstance(result, int) and result < 0): print('OPEN', name)
    except (OSError, ValueError, UnicodeError, subprocess.SubprocessError): pass
    finally: sys.stdout.flush()
def write(place, text):
    with open(place, 'w') as file: return file.write(text)
`

/** Attempts by their names, as Python expressions. */
export const attempts = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([name, attempt]) => `tried(${JSON.stringify(name)}, lambda: ${attempt})`)
    .join('\n')
