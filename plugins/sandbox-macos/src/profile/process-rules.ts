import { always, literal, rule } from './rules.js'

/**
 * Facts of the kernel that programs ask for at their start. What tells of other processes, their
 * arguments and environments (`kern.proc`, `kern.procargs2`) is not among them.
 */
const facts = [
  ...['kern.argmax', 'kern.hostname', 'kern.maxfilesperproc', 'kern.maxproc', 'kern.ngroups', 'kern.osproductversion', 'kern.osrelease'],
  ...['kern.ostype', 'kern.osvariant_status', 'kern.osversion', 'kern.secure_kernel', 'kern.tcsm_available', 'kern.tcsm_enable'],
  ...['kern.usrstack64', 'kern.version', 'security.mac.lockdown_mode_state', 'sysctl.proc_cputype', 'vm.loadavg'],
]
const factsBelow = ['hw.', 'machdep.cpu.']

/**
 * Services of the system that programs need: who a user is, and the folder for temporary files.
 * Left out on purpose: the keychain, what opens applications, and what fetches from the network for
 * a program (`trustd`).
 */
const services = ['com.apple.bsd.dirhelper', 'com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership']

/** The folder itself is read to name a terminal. */
const devices = ['/dev', '/dev/random', '/dev/urandom', '/dev/zero', '/dev/autofs_nowait']
const writableDevices = ['/dev/null', '/dev/dtracehelper']
/** The terminals that a process of the sandbox has opened itself: the extension marks them. */
const openedTerminals = '(require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty"))'

/** What every process may, whatever its files and its network are. */
export function processRules({ terminal }: { readonly terminal: boolean }): readonly string[] {
  const everything = ['file-read*', 'file-write*', 'file-ioctl']
  return [
    always('allow', 'process-fork'),
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    ...rule(
      'allow',
      ['mach-lookup'],
      services.map((name) => `(global-name "${name}")`),
    ),
    ...rule(
      'allow',
      ['sysctl-read'],
      [...facts.map((name) => `(sysctl-name "${name}")`), ...factsBelow.map((name) => `(sysctl-name-prefix "${name}")`)],
    ),
    '(allow sysctl-write (sysctl-name "kern.tcsm_enable"))',
    // Semaphores of Python's multiprocessing.
    always('allow', 'ipc-posix-sem'),
    ...rule('allow', ['file-read*'], [...devices.map(literal), '(subpath "/dev/fd")']),
    ...rule('allow', ['file-read*', 'file-write-data', 'file-ioctl'], writableDevices.map(literal)),
    always('allow', 'pseudo-tty'),
    ...rule('allow', everything, [literal('/dev/ptmx'), openedTerminals]),
    // The launcher names the terminal that it was given; no other one of the user is open.
    ...(terminal ? rule('allow', everything, ['(literal (param "TERMINAL"))', literal('/dev/tty')]) : []),
  ]
}
