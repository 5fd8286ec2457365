/// Bounds the encoded pictures of an output. Pure.
struct PictureBudget: Sendable {
    /// In bytes.
    private var remaining: Int

    /// - Parameter limit: In bytes.
    init(limit: Int) { remaining = limit }

    /// Takes what a picture needs.
    /// - Parameters:
    ///   - bytes: The size of the encoded picture.
    ///   - uses: How often it is shown: each time, it is written again.
    /// - Returns: Whether there is enough; if not, nothing is taken.
    mutating func take(_ bytes: Int, uses: Int) -> Bool {
        let (total, isTooLarge) = bytes.multipliedReportingOverflow(by: uses)
        guard !isTooLarge, total <= remaining else { return false }
        remaining -= total
        return true
    }
}
