// SPDX-License-Identifier: MIT
// Rust: functions, methods, traits and generics, each with a line that is marked by a comment.
pub mod shop {
    #[inline(never)]
    pub fn total(x: u64) -> u64 {
        x * 3 /*@total@*/
    }
    pub struct Pair<T>(pub T, pub T);
    impl Pair<u64> {
        #[inline(never)]
        pub fn sum(&self) -> u64 {
            self.0 + self.1 /*@sum@*/
        }
    }
    pub trait Weigh {
        fn weigh(&self) -> u64;
    }
    impl Weigh for Pair<u64> {
        #[inline(never)]
        fn weigh(&self) -> u64 {
            self.0 ^ 5 /*@weigh@*/
        }
    }
}
use shop::Weigh;
fn main() {
    let pair = shop::Pair(std::env::args().count() as u64, 4);
    println!("{}", shop::total(pair.0) + pair.sum() + pair.weigh());
}
