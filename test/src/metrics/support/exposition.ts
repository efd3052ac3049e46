/** One line of the metrics. */
export interface ExposedSample {
  readonly line: string
  /** With the suffix of a histogram. */
  readonly name: string
  /** Without it. */
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What `GET /metrics` answers. */
export interface Exposition {
  /** By the name of the metric. */
  readonly types: ReadonlyMap<string, string>
  readonly samples: readonly ExposedSample[]
  /** The sum of the samples of a name that have all these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number
}

/** Reads the text format of Prometheus. @throws Error for a line that breaks it. */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>()
  const samples: ExposedSample[] = []
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (type?.[1] !== undefined && type[2] !== undefined) {
      if (types.has(type[1])) throw new Error(`${type[1]} is there twice.`)
      types.set(type[1], type[2])
    } else if (!line.startsWith('# HELP ')) samples.push(readSample(line, types))
  }
  return {
    types,
    samples,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

function readSample(line: string, types: ReadonlyMap<string, string>): ExposedSample {
  const [, name = '', list = '', number = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const pairs = [...list.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [label, value] as const)
  const metric = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
  const value = Number(number)
  if (!types.has(metric) || Number.isNaN(value)) throw new Error(`This is no sample of a metric that was announced: ${line}`)
  return { line, name, metric, labels: Object.fromEntries(pairs), value }
}
