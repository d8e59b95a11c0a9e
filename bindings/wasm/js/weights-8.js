export default { 8: new URL('./weights-8.bin', import.meta.url).href };
