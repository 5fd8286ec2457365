import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends only a test that hangs: the limit includes the time that a test waits for its turn on a busy machine.
    static var generousTimeLimit: Self { .timeLimit(.minutes(60)) }
}
