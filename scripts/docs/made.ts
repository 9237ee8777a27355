/** This mark stands at the top of every page that is made from the code. */
export const MADE = '<!-- Made by `npm run docs`; do not edit. -->';
