// What only this page needs.
import '@mantine/core/styles/Code.css';
