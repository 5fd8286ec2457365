extension StringProtocol {
    /// Whether the text consists of one or more ASCII digits. (`Int` alone would also accept a sign.)
    package var isDigits: Bool { !isEmpty && utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}

extension [UInt8] {
    /// Appends a number in decimal, without creating a string.
    /// - Parameter width: The minimum number of digits; zeros precede shorter numbers.
    mutating func append(digitsOf value: Int64, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        // The magnitude of any integer has at most 19 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (start, rest) = (20, value.magnitude)
            while rest > 0 || (20 - start < width && start > 0) {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }
}
