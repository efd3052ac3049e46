/** Not TypeScript: the types of happy-dom bring those of Node into the code for browsers. `dom-library.d.ts` has what is used. */
export { Window } from 'happy-dom'
