import type { CallPiece } from '@agent-service/sdk/contracts/tool'
import { For, type JSX } from 'solid-js'
import { type CallStage, callPieces, type NamedTool, toolTitle } from './tool-words.js'

/** What a call does in words; what comes from its arguments keeps its own direction. */
export function CallWords(props: {
  readonly tool: NamedTool
  readonly stage: CallStage
  readonly given: Readonly<Record<string, unknown>>
}): JSX.Element {
  const pieces = (): readonly CallPiece[] =>
    callPieces(props.tool, props.stage, props.given) ?? [{ text: toolTitle(props.tool), isValue: true }]
  return <For each={pieces()}>{({ text, isValue }) => (isValue ? <bdi>{text}</bdi> : text)}</For>
}
