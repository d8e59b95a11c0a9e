/** The address of the weights of a board size. */
declare const weights: Record<number, string>;
export default weights;
