import type { StopReason } from '../contracts/provider-adapter/index.js'
import type { AnswerFallback } from './answer-fallback.js'
import type { Run, RunQuestion } from './run.js'

/**
 * What happens in a run, in order. Events with a `cursor` are stored: `after` with the last one
 * that was seen gives every later one, once. What the run says is one text: the texts of its
 * messages, with an empty line between one and the next. `offset` is a place in it, in UTF-16 code
 * units.
 */
export type RunEvent =
  /** First, and again after omitted events without a cursor: the current run and its text. */
  | { readonly type: 'state'; readonly run: Run; readonly text: string; readonly reasoning: string }
  /** More of the text. */
  | { readonly type: 'text.delta'; readonly offset: number; readonly text: string }
  /** More of the reasoning, in the same way. */
  | { readonly type: 'reasoning.delta'; readonly offset: number; readonly text: string }
  /** Text was revoked: this is the whole text of the run now. */
  | { readonly type: 'void'; readonly text: string; readonly reasoning: string }
  /** A model call is made again, or later than at once. */
  | { readonly type: 'retrying'; readonly failure: string; readonly reason: string; readonly delayMs: number }
  /** It waits for a person. */
  | { readonly type: 'waiting'; readonly questions: readonly RunQuestion[] }
  /** It goes on: its first step is stored. */
  | { readonly type: 'started'; readonly cursor: string; readonly at: string }
  /** A message of the model is whole, or as whole as it will be (`partial`). */
  | {
      readonly type: 'message'
      readonly cursor: string
      readonly at: string
      readonly messageId: string
      readonly turn: number
      readonly partial: boolean
      readonly text: string
      readonly reasoning: string
      /** Absent: the wanted model wrote it. */
      readonly fallback?: AnswerFallback
    }
  /**
   * A tool call begins. `purpose`: a sentence for people, absent where the event is read from the
   * store.
   */
  | {
      readonly type: 'tool.started'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly name: string
      readonly purpose?: string
    }
  /** A tool call has its result. */
  | {
      readonly type: 'tool.finished'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly name: string
      readonly isError: boolean
    }
  /** A person is asked about a call. */
  | {
      readonly type: 'question.asked'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly kind: 'approval' | 'question'
    }
  /** The outcome of the question. */
  | {
      readonly type: 'question.resolved'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly outcome: 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn'
    }
  /**
   * A final answer did not fit `result`, and the model is asked again. `problems` is what it read.
   */
  | { readonly type: 'result.refused'; readonly cursor: string; readonly at: string; readonly problems: string }
  /**
   * Last: the run has ended. `stopReason`: why the model stopped the last time; `stop` if it did
   * not come to that.
   */
  | {
      readonly type: 'finished'
      readonly cursor: string
      readonly at: string
      readonly run: Run
      readonly text: string
      readonly reasoning: string
      readonly stopReason: StopReason
      /** Of the last message that another model wrote than the wanted one. Absent: there is none. */
      readonly fallback?: AnswerFallback
    }
