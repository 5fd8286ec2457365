import ArgumentParser

/// A period of time as an argument: a number with the unit `s`, `m`, `h`, `d` or `w`, such as `7d`.
struct TimeSpan: Equatable {
    /// Ten years, in milliseconds.
    private static let maximum: Int64 = 3650 * 86_400_000

    /// Always positive.
    let milliseconds: Int64

    init(days: Int64) { milliseconds = days * 86_400_000 }
}

extension TimeSpan: ExpressibleByArgument {
    init?(argument: String) {
        let units: [Character: Int64] = [
            "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000,
        ]
        let digits = argument.dropLast()
        guard let unit = argument.last.flatMap({ units[$0] }), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let count = Int64(digits)
        else { return nil }
        let (product, overflows) = count.multipliedReportingOverflow(by: unit)
        guard !overflows, (1...Self.maximum).contains(product) else { return nil }
        milliseconds = product
    }
}
