import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import { normalTags } from '../store/tags/tag.js'
import type { ChatDocument } from './chat-document.js'
import { contentProblem } from './imported-content.js'

/** Where a branch's own messages begin and end (exclusive), as sequences. */
export interface BranchRange {
  readonly from: number
  readonly to: number
}

/** The most problems that are reported. */
const maxProblems = 20
/** After so many messages, or so much text in UTF-16 code units, other requests run. */
const messagesPerTurn = 200
const textPerTurn = 200_000

/**
 * Checks a document that fits its schema against the rules of chats, and returns the range of each
 * branch. A branch comes after the one that it was forked from, so that there are no cycles; it
 * forks before a message of that branch; and its messages follow each other without a gap, branch
 * by branch.
 * @throws `invalid_request` with the path of each problem, at most 20.
 */
export async function checkDocument(document: ChatDocument): Promise<readonly BranchRange[]> {
  const { chat, branches, messages, summaries } = document
  const problems: Problem[] = []
  const refuse = (path: string, message: string): void => {
    if (problems.length < maxProblems) problems.push({ path, message })
  }
  const settle = (): void => {
    if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
  }

  for (const [index, { number, fork }] of branches.entries()) {
    const path = `/branches/${index}`
    if (number !== index + 1) refuse(`${path}/number`, `must be ${index + 1}: branches must be in the order of their numbers`)
    if (index === 0 ? fork !== null : fork === null)
      refuse(`${path}/fork`, index === 0 ? 'must be null for the first branch' : 'must not be null')
    if (index > 0 && fork && fork.branch > index) refuse(`${path}/fork/branch`, 'must be the number of an earlier branch')
  }
  for (const { path, message } of normalTags(chat.tags ?? []).problems) refuse(`/chat/tags${path}`, message)
  if (chat.branch > branches.length) refuse('/chat/branch', 'is not the number of a branch')
  settle()

  const ranges: { from: number; to: number }[] = branches.map(({ fork }) => ({ from: fork?.sequence ?? 0, to: fork?.sequence ?? 0 }))
  let current = 1
  let text = 0
  for (const [index, message] of messages.entries()) {
    const path = `/messages/${index}`
    const range = ranges[message.branch - 1]
    if (!range || message.branch < current) {
      refuse(`${path}/branch`, range ? 'must not be less than the branch of the previous message' : 'is not the number of a branch')
    } else if (message.sequence !== range.to) refuse(`${path}/sequence`, `must be ${range.to}`)
    else range.to += 1
    current = Math.max(current, message.branch)
    const problem = contentProblem(message)
    if (problem) refuse(path + problem.path, problem.message)
    const json = JSON.stringify(message.content)
    if (json.length > maxMessageBytes / 4 && Buffer.byteLength(json) > maxMessageBytes) {
      refuse(`${path}/content`, `has more than ${maxMessageBytes} bytes as JSON`)
    }
    if (problems.length >= maxProblems) break
    text += json.length
    if (index % messagesPerTurn === messagesPerTurn - 1 || text > textPerTurn) {
      text = 0
      await nextTurn()
    }
  }
  settle()

  for (const [index, { fork }] of branches.entries()) {
    if (!fork) continue
    const owner = ranges[fork.branch - 1]
    const first = fork.sequence === 0 ? fork.branch === 1 : fork.sequence > (owner?.from ?? 0)
    if (!first || fork.sequence >= (owner?.to ?? 0)) {
      refuse(`/branches/${index}/fork/sequence`, 'must be the sequence of a message of that branch with another message before it')
    }
  }
  for (const [index, summary] of summaries.entries()) {
    const range = ranges[summary.branch - 1]
    if (!range) refuse(`/summaries/${index}/branch`, 'is not the number of a branch')
    else if (summary.until <= range.from || summary.until > range.to) {
      refuse(`/summaries/${index}/until`, 'must be greater than the sequence of a message of that branch')
    }
  }
  settle()
  return ranges
}
