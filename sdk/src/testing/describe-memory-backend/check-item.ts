import { strict as assert } from 'node:assert'
import type { MemoryItem, MemoryScope } from '../../contracts/memory-backend/memory-record.js'
import { isOneLine } from '../within-limit.js'

const kinds = ['note', 'statement', 'playbook', 'summary']

/** Fails for an item that is not in the form of the contract. */
export function checkItem(item: MemoryItem): void {
  assert.ok(typeof item.id === 'string' && item.id !== '', 'the id is empty')
  checkScope(item.scope)
  assert.ok(kinds.includes(item.kind), `“${item.kind}” is no kind`)
  assert.equal(typeof item.text, 'string')
  assert.equal(typeof item.pinned, 'boolean')
  if (item.title !== undefined) assert.ok(isOneLine(item.title), 'the title is not one line')
  if (item.whenToUse !== undefined) assert.ok(isOneLine(item.whenToUse), 'when to use it is not one line')
  for (const name of ['createdAt', 'updatedAt', 'validFrom', 'validTo', 'fadesAt'] as const) {
    const time = item[name]
    if (time === undefined || (time === null && name === 'fadesAt'))
      assert.ok(name !== 'createdAt' && name !== 'updatedAt', `${name} is missing`)
    else assert.equal(new Date(Date.parse(time ?? '')).toISOString(), time, `${name} is no time in UTC`)
  }
  assert.ok(item.createdAt <= item.updatedAt, 'it was changed before it was made')
  if (item.origin !== undefined) assert.equal(item.origin, 'tool')
  assert.ok(Array.isArray(item.evidence), 'the evidence is no list')
  for (const { chatId } of item.evidence) assert.equal(typeof chatId, 'string')
}

function checkScope(scope: MemoryScope): void {
  if (scope.kind === 'agent') assert.equal(typeof scope.agentId, 'string')
  else if (scope.kind === 'space') assert.equal(typeof scope.spaceId, 'string')
  else assert.deepEqual(scope, { kind: 'user' })
}
