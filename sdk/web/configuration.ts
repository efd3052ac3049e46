/**
 * The configuration of the deployment, for screens of administrators: what is saved and in effect, saving a change,
 * and applying it by a restart in place. The service refuses all of it to others.
 *
 * @packageDocumentation
 */

export { type Configuration, lockOf, membersOf, pathOf, savedIn } from './api/configuration.js'
export { ApplyBar } from './app/configuration/apply-bar.js'
export { saveConfiguration } from './app/configuration/save-configuration.js'
export { ChoiceCards } from './ui/choice-cards.js'
