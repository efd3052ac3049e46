import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { orphanedGroups, refuseCommands, unbrokenCommands } from './child-process.mjs'

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM']

/** How long processes have to end by themselves. */
const graceMs = 5000

/** How long a script has to tidy up after the last of them has ended. */
const tidyMs = 1000

/** How long to wait for those that were killed: one that waits for a device ends later than that. */
const killedMs = 5000

const pollMs = 50

/**
 * A Ctrl-C arrives from the terminal and again from npm; a signal this soon after the first is the
 * same one.
 */
const sameSignalMs = 300

/**
 * Watches for the signals that ask this process to end. On the first, no command is started any
 * more, and everything that this process has started is ended: children, theirs, and what they have
 * in process groups of their own. Then the script may tidy up, and the process ends with the `status`
 * that shells expect. A second signal kills at once. Unbroken commands are never ended, but waited
 * for unless there is a second signal.
 */
export function watchInterruption() {
  let status
  let at = 0
  let ended
  const findRunning = createDescendants()
  const leave = () => {
    sendAll(findRunning(), 'SIGKILL')
    process.exit(status)
  }
  const take = (signal) => {
    if (status !== undefined) {
      if (Date.now() - at > sameSignalMs) leave()
      return
    }
    status = 128 + os.constants.signals[signal]
    at = Date.now()
    refuseCommands()
    // The terminal is gone, and what cannot be written to it must not end this process.
    if (signal === 'SIGHUP') for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
    ended = endAll(findRunning)
    process.stderr.write(`Interrupted (${signal}): ending what was started …\n`)
    ended
      .then(() => delay(tidyMs))
      .catch((error) => process.stderr.write(`${error?.stack}\n`))
      .finally(leave)
  }
  for (const signal of signals) process.on(signal, take)
  return {
    /** The status to end with; undefined as long as there was no signal. */
    status: () => status,
    /** Ends the process, when everything that it started has ended. */
    async leave() {
      await ended
      leave()
    },
    stopWatching: () => {
      for (const signal of signals) process.off(signal, take)
    },
  }
}

/** Asks every process to end, and those that have been started meanwhile; kills what does not. */
async function endAll(findRunning) {
  const asked = new Set()
  const killAt = Date.now() + graceMs
  const isWaiting = (running) => unbrokenCommands().length > 0 || (running.length > 0 && Date.now() < killAt + killedMs)
  for (let running = findRunning(); isWaiting(running); running = findRunning()) {
    if (Date.now() >= killAt) sendAll(running, 'SIGKILL')
    else
      sendAll(
        running.filter((pid) => !asked.has(pid)),
        'SIGTERM',
      )
    for (const pid of running) asked.add(pid)
    await delay(pollMs)
  }
}

function sendAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // It has ended, or it is another user's, which a test has started with more rights than ours.
      if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
    }
  }
}

/**
 * Returns a function that lists the running processes that this one has started. It remembers them
 * and the process groups that they lead, so that one whose parent has ended is found later, too.
 */
function createDescendants() {
  const known = new Map()
  const groups = new Set()
  return () => {
    const all = listProcesses()
    for (const pid of unbrokenCommands()) all.delete(pid)
    for (const group of orphanedGroups()) groups.add(group)
    const isKnown = (pid) => known.has(pid) && known.get(pid) === all.get(pid)?.started
    for (let grew = true; grew; ) {
      grew = false
      for (const [pid, { parent, group, started }] of all) {
        if (pid === process.pid || isKnown(pid) || !(parent === process.pid || isKnown(parent) || groups.has(group))) continue
        known.set(pid, started)
        if (group === pid) groups.add(group)
        grew = true
      }
    }
    return [...known.keys()].filter(isKnown)
  }
}

/** Every process that has not ended, by id: its parent, its process group, and when it was started. */
const listProcesses = () => (process.platform === 'linux' ? fromProcfs() : fromPs())

function fromProcfs() {
  const found = new Map()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const text = readStat(name)
    if (text === undefined) continue
    // The second field is the name of the program, which may have spaces and brackets.
    const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (state !== 'Z') found.set(Number(name), { parent: Number(parent), group: Number(group), started: rest[16] })
  }
  return found
}

function readStat(name) {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined
    throw error
  }
}

function fromPs() {
  const found = new Map()
  const { pid: own, stdout, error } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
  if (error !== undefined) throw error
  for (const line of stdout.split('\n').filter((each) => each.trim() !== '')) {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/)
    if (!state.startsWith('Z')) found.set(Number(pid), { parent: Number(parent), group: Number(group), started: started.join(' ') })
  }
  found.delete(own)
  return found
}
