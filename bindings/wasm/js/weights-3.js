export default { 3: new URL('./weights-3.bin', import.meta.url).href };
