package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Only ends tests that hang: the limit includes the time for which a test waits on a busy machine.
    package static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
