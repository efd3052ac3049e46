import type { Language } from './scenes/scene.js'

/** Words that are German alone, and letters that English lacks. */
const german =
  /[äöüß]|\b(ich|du|dir|dich|mich|mir|und|der|das|ein|eine|einen|ist|nicht|kein|keine|wie|warum|welche|kannst|bitte|danke|hallo|guten|moin|servus|hilfe|mach|zeig|schreib|frag|stell|zeichne|erinnere|vergleiche|datei|uhrzeit|spät|für)\b/i

/** The language in which a person wrote. */
export const languageOf = (written: string): Language => (german.test(written) ? 'de' : 'en')
