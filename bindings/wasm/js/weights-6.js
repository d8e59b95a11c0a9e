export default { 6: new URL('./weights-6.bin', import.meta.url).href };
