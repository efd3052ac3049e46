import { placeOf, type Refusal } from './find-path.js'
import { behindLine, lineStart, type TextEdit } from './text-edits.js'
import { beginsLine, isFlow, type MapNode, type PairNode, pairEnd, pairsOf, type Source, startOf } from './yaml-nodes.js'

/**
 * Ways to take a member out, the best first: with its lines: from its key to the last line of its value, with the comments among them and on them. Comments above and
 * below stay: nothing tells whether they speak of this member or of several, and a comment too many does less harm than one too few.
 */
export function removeMember(source: Source, map: MapNode, pair: PairNode): readonly (readonly TextEdit[])[] | Refusal {
  const { text } = source
  const start = startOf(pair.key)
  const end = pairEnd(pair)
  if (isFlow(map)) return [[fromFlow(source, map, pair)]]
  if (!beginsLine(text, start)) return { refused: `shares its line with something else; edit the file by hand${placeOf(source, pair.key)}` }
  const lines = { start: lineStart(text, start), end: behindLine(text, end), text: '' }
  // Blank lines behind it would become part of a text before it that keeps them (`|+`).
  const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(lines.end))?.[0].length ?? 0
  return [[lines], [{ ...lines, end: lines.end + blank }]]
}

/** With its whole lines where it has them for itself, else with the comma that parts it from its neighbour. */
function fromFlow({ text }: Source, map: MapNode, pair: PairNode): TextEdit {
  const pairs = pairsOf(map)
  const index = pairs.indexOf(pair)
  const start = startOf(pair.key)
  const end = pairEnd(pair)
  const behind = /^[ \t]*,?[ \t]*(#[^\n]*?)?\r?\n/.exec(text.slice(end))
  if (beginsLine(text, start) && behind) return { start: lineStart(text, start), end: end + behind[0].length, text: '' }
  const [before, next] = [pairs[index - 1], pairs[index + 1]]
  if (next) return { start, end: startOf(next.key), text: '' }
  return before ? { start: pairEnd(before), end, text: '' } : { start, end, text: '' }
}
