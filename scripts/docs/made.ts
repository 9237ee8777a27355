export const MADE = '<!-- Made by `npm run docs`; do not edit. -->';
