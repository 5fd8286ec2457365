/// Sums of numbers that somebody else chose, for which an overflow must not end the program.
extension FixedWidthInteger {
    /// The sum, or the bound of the type that it exceeds.
    func addingSaturating(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the bound of the type that it exceeds.
    func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}
