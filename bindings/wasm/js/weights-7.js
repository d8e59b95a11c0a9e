export default { 7: new URL('./weights-7.bin', import.meta.url).href };
