/**
 * Words that say nothing about what is looked for, in some languages of questions. Left out are those
 * that mean something in another of them, such as the German “die” and “war”, or the French “son”.
 */
const words = `
a an and any are as at be been but by can could did do does for from had has have he her him his how i if in into is it its me my of on or our
she that the their them then there these they this to us was we were what when where which who whom whose why will with would you your
aber als am auch auf aus bei beim das dass dem den der dir du ein eine einem einen einer eines er es euch fur hast habe haben ich ihm ihn
ihr im ist kann mein meine meinem meinen meiner mir mich mit nach nicht oder sein seine sich sie sind uber und uns unser vom von wann warum
welche welchem welchen welcher wem wen wer wie wir wo wurde zu zum zur
au aux avec ce cette ces dans de du elle en est et etait ils je la le les leur mes moi nous ou par pas pour qu que quel quelle quels
quelles qui sont sur tes une vos vous
al como con cual cuales cuando del donde el ella ellos era eres esta este esto las los mis nos nuestra nuestro para pero por porque que quien
se soy sus tu tus una y yo
`

/** Folded, not stemmed. */
export const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ''))
