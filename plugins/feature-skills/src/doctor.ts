import { type DoctorCheck, type DoctorFinding, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Deployment } from '@agent-service/sdk/services/deployment'
import { createHostSkillFolder } from './folders/host-skill-folder.js'
import { createSkillStore } from './store/skill-store.js'

const maxFindings = 50
const maxText = 500

/** Reads the skills that everyone has, and names each one that cannot be used. Nothing while all can. */
export const createSkillCheck = ({
  deployment,
  clock,
}: {
  readonly deployment: Pick<Deployment, 'skillFolders'>
  readonly clock: Pick<Clock, 'monotonic' | 'now'>
}): DoctorCheck =>
  defineDoctorCheck({
    id: 'feature-skills',
    title: 'Skills',
    async run({ signal }) {
      const broken: DoctorFinding[] = []
      let usable = 0
      for (const folder of [deployment.skillFolders.bundled, deployment.skillFolders.shared]) {
        signal.throwIfAborted()
        for (const { name, problem } of await createSkillStore(createHostSkillFolder(folder), { clock, writable: false }).list()) {
          if (problem) broken.push(warning(`${folder}/${name}/${problem.file}:${problem.line}: ${problem.message}`))
          else usable += 1
        }
      }
      if (broken.length === 0) return { findings: [] }
      const shown = broken.slice(0, maxFindings - 2)
      const rest = broken.length - shown.length
      const summary = warning(`${usable} skills can be used, ${broken.length} cannot`)
      return { findings: [summary, ...shown, ...(rest > 0 ? [warning(`and ${rest} more`)] : [])] }
    },
  })

const warning = (text: string): DoctorFinding => ({
  state: 'warning',
  text: text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').slice(0, maxText),
})
