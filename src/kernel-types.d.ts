/** AssemblyScript's types of numbers, in which constants stand that kernels and their callers share. */
declare type i32 = number;
declare type u32 = number;
declare type u64 = number;
declare type usize = number;
declare type f64 = number;
