import { type Static, Type } from '@agent-service/sdk'

const percent = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 100, default: value, 'x-unit': 'percent', description })

/** Section `sandbox`. */
export const sandboxSection = Type.Object(
  {
    disabled: Type.Boolean({
      default: false,
      description: 'Whether confinement to the file system is off. Limits, network policy and tokens stay. Not for production.',
    }),
    max_cpu_pct: percent(
      95,
      'The most of all processors together that one agent of one user may take. Beyond it the heaviest process is ended.',
    ),
    max_memory_pct: percent(80, 'The most of the memory that one agent of one user may take. Beyond it the heaviest process is ended.'),
    timeout_secs: Type.Integer({
      minimum: 0,
      default: 0,
      'x-unit': 'seconds',
      description: 'How long an execution may take when it says nothing itself. 0 sets no limit.',
    }),
    max_total_cpu_pct: percent(98, 'The most of all processors together that all sandboxed processes may take.'),
    max_total_memory_pct: percent(90, 'The most of the memory that all sandboxed processes may take.'),
    package_min_age_days: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 3,
      'x-unit': 'days',
      description:
        'How old a release of a package of pip or npm has to be before agents can install it: what was poisoned is usually found within days. 0 takes all.',
    }),
    default_network_access: Type.Boolean({
      default: true,
      description: 'Whether sandboxed processes reach the network unless a policy forbids it.',
    }),
  },
  { title: 'Sandbox', description: 'Limits of the processes that agents run: command line, Python and Node.js.' },
)

/** The values of section `sandbox`. */
export type SandboxSettings = Static<typeof sandboxSection>
