export default { 5: new URL('./weights-5.bin', import.meta.url).href };
