import FeedCore

/// The text format of Prometheus, version 0.0.4. Pure.
enum PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families {
            let name = family.name.rawValue
            text += "# HELP \(name) \(escaped(family.name.help))\n# TYPE \(name) \(type(family.name.kind))\n"
            for sample in family.samples { text += name + line(sample) + "\n" }
        }
        return text
    }

    /// A number without a needless fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func line(_ sample: MetricSample) -> String {
        let labels = sample.labels.map { label in
            "\(label.name)=\"" + escaped(label.value).replacing("\"", with: "\\\"") + "\""
        }
        let list = labels.isEmpty ? "" : "{" + labels.joined(separator: ",") + "}"
        return sample.suffix + list + " " + number(sample.value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func type(_ kind: MetricName.Kind) -> String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
