// Fruits and what they cost.
const prices = { apple: 1.5, pear: 2.25, plum: 0.75 };

function total(names) {
  let sum = 0;
  for (const name of names) {
    sum += prices[name];
  }
  return sum;
}

console.log(total(["apple"]));
