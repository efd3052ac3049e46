import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Figure, median } from './figures.js'
import { bareSubject, type Command, type DriverMode, driverSubject, peerSubjects, type SandboxSubject } from './sandbox-subjects.js'

const rounds = 200
const warm = 5
const maxAddedMs = 8

const programs: readonly (readonly [name: string, command: Command])[] = [
  ['/bin/true', ['/bin/true']],
  ['python3', ['/usr/bin/python3', '-I', '-c', 'pass']],
  ['node', [process.execPath, '-e', '0']],
]

const driverModes: readonly DriverMode[] = [
  { mode: 'bubblewrap', kept: true, groups: true },
  { mode: 'bubblewrap', kept: false, groups: true },
  { mode: 'bubblewrap', kept: true, groups: false },
  { mode: 'Landlock', kept: true, groups: true },
]

/**
 * Commands from the decision to run them to the end of their trees: bare, in each mode of the driver
 * for Linux that this machine has, and in a peer. All of them in turns.
 */
export async function benchSandbox(print: (line: string) => void): Promise<readonly Figure[]> {
  if (process.platform !== 'linux') {
    print('  the driver for Linux is measured on Linux alone')
    return []
  }
  const workspace = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-sandbox-'))
  await chmod(workspace, 0o755)
  const bare = bareSubject(workspace)
  const modes: SandboxSubject[] = []
  try {
    for (const mode of driverModes) {
      const subject = await driverSubject(mode, workspace)
      if (typeof subject === 'string') print(`  ${mode.mode} is left out: ${subject}`)
      else modes.push(subject)
    }
    const peer = await peerSubjects(workspace, print)
    const peers = peer === undefined ? [] : [peer.bare, peer.peer]
    modes.push(...peers)
    const medians = await measureInTurns([bare, ...modes])
    const timeOf = (subject: SandboxSubject, program: string): number => medians.get(subject)?.get(program) ?? Number.NaN
    return programs.flatMap(([program]) =>
      modes
        .filter((subject) => subject !== peer?.bare)
        .flatMap((subject): readonly Figure[] => {
          const beside = subject === peer?.peer ? peer.bare : bare
          const [time, bareTime] = [timeOf(subject, program), timeOf(beside, program)]
          const added = time - bareTime
          const aimed = subject !== peer?.peer && program === '/bin/true'
          return [
            { what: `${program}, ${subject.name}`, ours: time, unit: 'ms', baseline: { name: beside.name, value: bareTime } },
            {
              what: '  added',
              ours: added,
              unit: 'ms',
              ...(aimed ? { aim: { text: `under ${maxAddedMs} ms`, met: added < maxAddedMs } } : {}),
            },
          ]
        }),
    )
  } finally {
    for (const each of modes) await each.close()
    await rm(workspace, { recursive: true, force: true })
  }
}

async function measureInTurns(subjects: readonly SandboxSubject[]): Promise<ReadonlyMap<SandboxSubject, ReadonlyMap<string, number>>> {
  const times = new Map(subjects.map((subject) => [subject, new Map(programs.map(([program]) => [program, [] as number[]]))]))
  for (let round = -warm; round < rounds; round += 1)
    for (const [program, command] of programs)
      for (const subject of subjects) {
        const ms = await subject.run(command)
        if (round >= 0) times.get(subject)?.get(program)?.push(ms)
      }
  return new Map(
    [...times].map(([subject, byProgram]) => [subject, new Map([...byProgram].map(([program, each]) => [program, median(each)]))]),
  )
}
