import type { Run } from '../../store/runs/run.js'

/** Says which form the final answer of a run must have. It stands behind all sections: it is of one run alone. */
export function resultSection({ terms }: Pick<Run, 'terms'>): readonly string[] {
  const wanted = terms?.result
  if (!wanted) return []
  return [
    `Your final answer is read by a program. It must be one JSON value that fits the following JSON Schema (“${wanted.name}”), with no words before or behind it and no code fence:\n\n${JSON.stringify(wanted.schema)}`,
  ]
}
