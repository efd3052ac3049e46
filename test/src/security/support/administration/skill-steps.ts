import { expect } from 'chai'
import type { AuditEntry } from '../audit-entry.js'
import { type Step, send } from './step.js'

const skillsPath = '/api/admin/skills'
const skillText = Buffer.from('---\nname: notes\ndescription: Takes notes.\n---\n').toString('base64')
const skillIs =
  (name: string, origin: string) =>
  (entry: AuditEntry): void =>
    void expect([entry.subject_id, entry.details['source'], entry.details['origin']]).to.deep.equal([name, 'shared', origin])

/** Shared skills. */
export const skillSteps: Readonly<Record<string, Step>> = {
  createSharedSkill: {
    call: (world) => send(world, 'POST', skillsPath, { name: 'made-here', description: 'Made here.' }),
    noted: 'skill.created',
    check: skillIs('made-here', 'created'),
  },
  installSharedSkill: {
    call: (world) => send(world, 'POST', `${skillsPath}/install`, { files: [{ path: 'SKILL.md', content: skillText }] }),
    noted: 'skill.installed',
    check: skillIs('notes', 'folder'),
  },
  // The tests of skills upload archives that are taken.
  uploadSharedSkill: { call: (world) => send(world, 'POST', `${skillsPath}/upload`, {}), statuses: [422] },
  putSharedSkillFile: {
    call: (world) => send(world, 'PUT', `${skillsPath}/notes/content?path=a.md`, {}),
    noted: 'skill.edited',
    check: (entry) => void expect([entry.subject_id, entry.details['path']]).to.deep.equal(['notes', 'a.md']),
  },
  deleteSharedSkillFile: {
    call: (world) => send(world, 'DELETE', `${skillsPath}/notes/content?path=a.md`),
    noted: 'skill.edited',
    check: (entry) => void expect([entry.subject_id, entry.details['path']]).to.deep.equal(['notes', 'a.md']),
  },
  checkSharedSkillAddress: { call: (world) => send(world, 'POST', `${skillsPath}/notes/check`), statuses: [409] },
  updateSharedSkill: { call: (world) => send(world, 'POST', `${skillsPath}/notes/update`), statuses: [409] },
  deleteSharedSkill: {
    call: (world) => send(world, 'DELETE', `${skillsPath}/notes`),
    noted: 'skill.removed',
    check: (entry) => void expect([entry.subject_id, entry.details['source']]).to.deep.equal(['notes', 'shared']),
  },
}
