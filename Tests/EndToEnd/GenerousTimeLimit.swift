import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and no other: the limit also counts the time a test waits for its turn, or for a machine that is
    /// busy with all the others.
    static var generousTimeLimit: Self { .timeLimit(.minutes(60)) }
}
