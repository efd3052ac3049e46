import { expect } from 'chai'
import type { AuditRecord } from '../audit/audit-records.js'
import type { ErasedName } from '../records/records.js'
import { createNameRemover } from './without-names.js'

const id = '0190cccc-0000-7000-8000-000000000007'
const names: readonly ErasedName[] = [
  { kind: 'username', text: 'al', from: null, to: null },
  { kind: 'username', text: 'user', from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' },
  { kind: 'email', text: 'Al.B+x@example.com', from: null, to: '2026-04-01T00:00:00.000Z' },
  { kind: 'name', text: 'Ál "B" Smith', from: null, to: null },
]
const remove = createNameRemover({ id, names })

const entryOf = (members: Partial<AuditRecord>): AuditRecord => ({
  ...{ id: '0190aaaa-0000-7000-8000-000000000001', at: '2026-02-15T10:00:00.000Z', kind: 'note.shared' },
  ...{ actor_id: 'ada', subject_id: null, address: '192.0.2.7', details: {} },
  ...members,
})
const ofOther = (details: AuditRecord['details'], more: Partial<AuditRecord> = {}) => remove(entryOf({ details, ...more })).details
const ofOwn = (details: AuditRecord['details']) => remove(entryOf({ details, actor_id: id })).details

describe('an entry without the names of an erased account', () => {
  it('has its id in their place, wherever they stand in entries of and about it', () => {
    const states = { usernames: ['ada', 'AL'], to: { people: [{ nick: 'Ál "B" Smith', n: 3 }] } }
    const removed = remove(
      entryOf({ subject_id: 'al', before: states, after: { text: 'Al wrote al.b+x@EXAMPLE.com, not al-2 or alba.' }, details: { by: id } }),
    )
    expect(removed.before).to.deep.equal({ usernames: ['ada', id], to: { people: [{ nick: id, n: 3 }] } })
    expect(removed.after).to.deep.equal({ text: `${id} wrote ${id}, not al-2 or alba.` })
    expect(removed.subject_id).to.equal(id)
    expect(ofOwn({ path: 'users/al/files/al.txt', command: 'reset al' })).to.deep.equal({
      path: `users/${id}/files/${id}.txt`,
      command: `reset ${id}`,
    })
    expect(ofOwn({ role: 'user', plugin: 'al', text: 'user' }), 'what no person is called by').to.deep.equal({
      role: 'user',
      plugin: 'al',
      text: id,
    })
  })

  it('has them also replaced in entries of others where nobody else can be meant', () => {
    expect(
      ofOther({
        path: 'users/al/notes',
        text: 'Sent to al.b+x@example.com by users/al.',
        recipients: ['al', { name: 'AL' }, 'bob, al'],
        owners: { al: 1, alba: 2 },
        invited_by: 'al',
      }),
    ).to.deep.equal({
      path: `users/${id}/notes`,
      text: `Sent to ${id} by users/${id}.`,
      recipients: [id, { name: id }, `bob, ${id}`],
      owners: { [id]: 1, alba: 2 },
      invited_by: id,
    })
    const kind = 'sign_in.failed'
    expect(remove(entryOf({ kind, actor_id: null, subject_id: 'al' })).subject_id).to.equal(id)
  })

  it('stays as it was where the same word is something else or another person', () => {
    const details = {
      name: 'al',
      text: 'et al wrote',
      display: 'Ál "B" Smith',
      path: 'users/alba/x',
      users: ['al-2', 'xal'],
      url: 'al@example.com',
    }
    const entry = entryOf({ subject_id: 'al', details })
    expect(remove(entry)).to.equal(entry)
    const later = { at: '2026-05-01T00:00:00.000Z' }
    expect(ofOther({ username: 'user', to: 'al.b+x@example.com' }, later), 'taken by another since').to.deep.equal({
      username: 'user',
      to: 'al.b+x@example.com',
    })
    expect(ofOther({ username: 'user' }), 'while it was its own').to.deep.equal({ username: id })
  })

  for (const [kind, text] of [
    ['username', 'mary-jane'],
    ['email', 'a@my-firm.example'],
    ['name', 'Anne-Marie (the 2nd) [x] a|b.*'],
  ] as const)
    it(`has ${text} replaced, whatever characters that has`, () => {
      const without = createNameRemover({ id, names: [{ kind, text, from: null, to: null }] })
      expect(without(entryOf({ actor_id: id, details: { about: `It was ${text}.` } })).details).to.deep.equal({ about: `It was ${id}.` })
    })

  it('has no part of another person’s address replaced, in its own entries neither', () => {
    const erased: readonly ErasedName[] = [
      { kind: 'username', text: 'ada', from: null, to: null },
      { kind: 'email', text: 'smith@corp.example', from: null, to: null },
    ]
    const without = createNameRemover({ id, names: erased })
    const details = {
      mail: "john.smith@corp.example, x+smith@corp.example, smith@corp.example.org, o'smith@corp.example",
      users: ['bob@ada.example', 'bob+ada@x.example', 'ada.smith@x.example', 'ada@x.example'],
      member: { type: 'ada', from_role: 'ada' },
    }
    const ofAnother = entryOf({ details })
    expect(without(ofAnother)).to.equal(ofAnother)
    const own = entryOf({ details, actor_id: id })
    expect(without(own)).to.equal(own)
  })

  it('is the same when it is done twice', () => {
    const once = remove(entryOf({ actor_id: id, details: { text: 'al and Al' } }))
    expect(remove(once)).to.equal(once)
  })
})
