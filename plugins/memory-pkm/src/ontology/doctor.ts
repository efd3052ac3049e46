import { type DoctorCheck, type DoctorFinding, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import type { Resources } from '@agent-service/sdk/services/resources'
import { loadOntologies } from './load-ontologies.js'

const maxFindings = 50
const maxText = 500

/** Reads the ontologies as the back end does, and names every file that it does not use: its line, and what was expected. Nothing while all are used. */
export const createOntologyCheck = (dependencies: { readonly resources: Resources; readonly folder: string }): DoctorCheck =>
  defineDoctorCheck({
    id: 'memory-pkm',
    title: 'Ontologies',
    async run({ signal }) {
      signal.throwIfAborted()
      const { files, problems } = await loadOntologies(dependencies)
      const broken = problems.map(({ file, line, problem }): DoctorFinding => {
        const place = line === undefined ? file : `${file}, line ${line}`
        return { state: 'warning', text: `${place}: ${problem}`.replaceAll(/\s+/g, ' ').slice(0, maxText) }
      })
      if (broken.length === 0) return { findings: [] }
      const shown = broken.slice(0, maxFindings - 2)
      const rest = broken.length - shown.length
      const summary = `${files.length} files are in use, ${broken.length} are not, and their terms are missing; mend them in ${dependencies.folder} and restart.`
      return {
        findings: [
          { state: 'warning', text: summary.slice(0, maxText) },
          ...shown,
          ...(rest > 0 ? [{ state: 'warning' as const, text: `and ${rest} more` }] : []),
        ],
      }
    },
  })
