import ArgumentParser

/// A duration as toot accepts it: `1 day 2 hours 30 minutes 10 seconds`, `90m`, `1d12h`.
struct DurationArgument: ExpressibleByArgument, Equatable {
    let seconds: Int

    init?(argument: String) {
        var (seconds, rest) = (0, argument[...].drop { $0 == " " })
        var largest = Int.max
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard let (number, unit) = Self.part(&rest), unit < largest else { return nil }
            largest = unit
            let (product, overflows) = number.multipliedReportingOverflow(by: unit)
            let (sum, isTooLong) = seconds.addingReportingOverflow(product)
            guard !overflows, !isTooLong else { return nil }
            seconds = sum
        }
        guard seconds > 0 else { return nil }
        self.seconds = seconds
    }

    /// Removes a number with its unit.
    private static func part(_ rest: inout Substring) -> (number: Int, unit: Int)? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count).drop { $0 == " " }
        let word = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(word.count).drop { $0 == " " }
        guard let number = Int(digits), let unit = unit(word) else { return nil }
        return (number, unit)
    }

    /// The length of a unit in seconds.
    private static func unit(_ word: Substring) -> Int? {
        switch word {
        case "d", "day", "days": 86_400
        case "h", "hour", "hours": 3600
        case "m", "minute", "minutes": 60
        case "s", "second", "seconds": 1
        default: nil
        }
    }
}
