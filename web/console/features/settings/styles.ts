// Only this page shows code.
import '@mantine/core/styles/Code.css';
