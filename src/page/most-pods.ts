/** More pods than this are too many to be simulated in a page. */
export const MOST_PODS = 1000;
