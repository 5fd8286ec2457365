/// Arithmetic on numbers from untrusted sources, where an overflow must not trap.
extension FixedWidthInteger {
    /// The sum, clamped to the bounds of the type.
    func addingSaturating(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the bounds of the type.
    func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}
