import type { Configuration } from '@agent-service/kernel-core/config'

/**
 * Who gets an account after the first one, apart from those whom admins create or invite: everyone
 * who signs up, everyone whom an admin approves, or nobody.
 */
export type Registration = 'open' | 'approval' | 'closed'

/**
 * Registration is open only where somebody has said so: while neither the file nor the environment
 * sets `auth.allow_registration`, an admin decides about each person.
 */
export function registrationOf({ auth, sourceOf }: Pick<Configuration, 'auth' | 'sourceOf'>): Registration {
  if (!auth.allow_registration) return 'closed'
  return auth.registration_approval || sourceOf('auth.allow_registration') === 'default' ? 'approval' : 'open'
}
