import { defineServiceReference } from '../core/service-reference.js'

/**
 * Settings of the deployment that several plugins follow. Constant while the process runs.
 *
 * @example
 * const { timezone } = context.use(deploymentService)
 * context.log.debug('Times without a zone are read in the zone of the deployment.', { timezone })
 */
export interface Deployment {
  /** `server.timezone`, else the detected zone: always a valid IANA name. */
  readonly timezone: string
  /** `server.max_concurrent_tasks`: how many background tasks of all agents may be at work. */
  readonly maxConcurrentTasks: number
  /** `scheduler.poll_secs`: the interval at which due times are looked for, in milliseconds. */
  readonly pollMs: number
  /** Absolute folders of skills: `{storage.shared_config_dir}/skills`, never written, and `storage.skills_dir`. */
  readonly skillFolders: { readonly bundled: string; readonly shared: string }
  /** `storage.ontology_dir`: an absolute folder of the operator's, which need not be there. */
  readonly ontologyFolder: string
}

/** Settings of the deployment. Provided by the kernel. */
export const deploymentService = defineServiceReference<Deployment>()('kernel.deployment')
