export { type Configuration, lockOf, membersOf, pathOf, savedIn } from './api/configuration.js'
export { ApplyBar } from './app/configuration/apply-bar.js'
export { saveConfiguration } from './app/configuration/save-configuration.js'
export { ChoiceCards } from './ui/choice-cards.js'
