// Writes a key and its value in one call.
extension JSONWriter {
    /// Writes a string field, or `null` if `value` is `nil`.
    public mutating func field(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes an integer field.
    public mutating func field(_ name: StaticString, _ value: Int) {
        key(name)
        int(value)
    }

    /// Writes an id as the Mastodon API represents it: a string of digits, or `null`.
    public mutating func field(_ name: StaticString, id: Int64?) {
        key(name)
        if let id { self.id(id) } else { null() }
    }

    /// Writes a boolean field.
    public mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a time in ISO 8601 format with milliseconds, in UTC, or `null`.
    /// - Parameter time: Milliseconds since 1970, UTC.
    public mutating func field(_ name: StaticString, time: Int64?) {
        key(name)
        if let time { self.time(time) } else { null() }
    }

    /// Writes the date of a time in ISO 8601 format, in UTC, or `null`.
    /// - Parameter day: Milliseconds since 1970, UTC.
    public mutating func field(_ name: StaticString, day: Int64?) {
        key(name)
        if let day { self.day(day) } else { null() }
    }

    /// Writes a field whose value is an object.
    public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try object(body)
    }

    /// Writes a field whose value is an array.
    public mutating func array(_ name: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try array(body)
    }

    /// Writes a field with an empty array.
    public mutating func empty(_ name: StaticString) {
        array(name) { _ in }
    }
}

extension JSONWriter {
    /// Writes a string field whose name is only known at run time.
    public mutating func dynamicField(_ name: String, _ value: String) {
        dynamicKey(name)
        string(value)
    }
}
